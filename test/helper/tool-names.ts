import { tools } from '../../src/contract/tools.ts';

/** The tools that a credential which may only read has, in the order of the contract. */
export const readTools = tools.filter(({ scope }) => scope.endsWith(':read')).map(({ tool }) => tool.name);
