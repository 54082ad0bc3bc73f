/** Citus's messages about a lost node. Their code, XX000 (internal_error), is too general. */
export const nodeUnavailable =
  /^(failure on connection marked as essential|failed to prepare transaction|could not connect to any active placements|no active placements were found|failed to assign \d+ task|could not establish any connections to the node|cannot connect to \S+ to fetch intermediate results|failed to read result "|server closed the connection unexpectedly|could not receive data from server)/i;
