import type { AdministratorPerson } from '../../auth/person.ts';
import type { PageContext } from '../page.ts';

export type AdminContext = PageContext<AdministratorPerson>;
