import type { Router } from 'express';
import { type AdministratorPerson, findAdministratorPerson } from '../../gate/person.ts';
import type { RealmPages } from '../page.ts';
import type { PageDoor } from '../page-door.ts';
import { realmPages } from '../realm-pages.ts';
import { start } from './start.tsx';

const pages: RealmPages<AdministratorPerson> = {
  realm: 'administrator',
  links: [{ href: '/admin', text: 'Start' }],
  findPerson: findAdministratorPerson,
  describePerson: () => 'Administrator',
  routes: [{ method: 'get', path: '/', run: start }],
};

/** The administrator's console. */
export const admin = (door: PageDoor): Router => realmPages(pages, door);
