/**
 * Whether the service has operations, statements and functions of its own for the rows of a stored table. Only jobs have them, because of
 * review, quota and districts. The rows of any other table have what is made from the contract.
 */
export const hasOwnOperations = (table: unknown): boolean => table === 'jobs';
