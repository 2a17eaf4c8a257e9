// The number of the mutant that acts (generated.py); the bench's process says it.
package mutants_pkg;
  import "DPI-C" function int unsigned tessera_mutant();
  int unsigned chosen = tessera_mutant();
endpackage
