# Sourced by tests of messages; they have `tessera`, and `bad`, which it sets to 1.
says() { # STATUS LINE ARGUMENTS...: tessera with them ends so, with the one line on standard error and nothing on standard output
  local status=$1 line=$2
  shift 2
  timeout 60 "$tessera" "$@" >out 2>err
  local got=$?
  [ "$got" = "$status" ] && [ "$(cat err)" = "tessera: $line" ] && [ ! -s out ] && return
  echo "tessera $*: status $got instead of $status, or not '$line':"
  cat out err
  bad=1
}
