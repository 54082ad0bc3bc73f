import type { StoredResource } from '../kit/api/stored-resource.ts';
import { peopleOf } from './people/stored-people.ts';

/** The resources that the contract stores, in the order of the menu. Jobs have operations of their own. */
const resources: readonly StoredResource[] = [];

/** The operations of people on each resource. The resource's commands and pages are made from them. */
export const storedResources = resources.map(peopleOf);
