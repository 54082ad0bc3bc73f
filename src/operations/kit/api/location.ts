import type { ApiContext } from '../../../context.ts';
import { pathOf } from '../../../contract/document.ts';
import { policy } from '../../../domain/environment.ts';
import type { Reasons } from '../../../domain/errors.ts';

/** The header `Location`: the address of what was created, a path if the service does not know its own address. */
export const locationOf = (
  { publicUrl, actor }: Pick<ApiContext, 'publicUrl' | 'actor'>,
  resource: Reasons[404],
  id: number,
) => `${publicUrl}${policy[actor.tenant.environment].restBase}${pathOf(resource, id)}`;
