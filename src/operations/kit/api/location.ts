import type { ApiContext } from '../../../context.ts';
import { pathOf } from '../../../contract/document.ts';
import { policy } from '../../../domain/environment.ts';
import type { Reasons } from '../../../domain/errors.ts';

/** The `Location` header: the URL of the created resource, or only its path if `publicUrl` is not configured. */
export const locationOf = (
  { publicUrl, actor }: Pick<ApiContext, 'publicUrl' | 'actor'>,
  resource: Reasons[404],
  id: number,
) => `${publicUrl}${policy[actor.tenant.environment].restBase}${pathOf(resource, id)}`;
