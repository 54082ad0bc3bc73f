import { type Environment, policy } from '../../domain/environment.ts';

export const accessNames = { read: 'Read', write: 'Read and write' } as const;

/** What tells one secret from another and opens nothing. */
export const maskedSecret = ({ environment, lastFour }: { environment: Environment; lastFour: string }): string =>
  `${policy[environment].tokenPrefix}…${lastFour}`;
