import type { AdministratorPerson } from '../../gate/person.ts';
import type { PageContext } from '../page.ts';

export type AdminContext = PageContext<AdministratorPerson>;
