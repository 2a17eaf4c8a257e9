set confirm off
set pagination off
set schedule-multiple on
set print thread-events off
set print inferior-events off
