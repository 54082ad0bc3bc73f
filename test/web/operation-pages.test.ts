import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { declarations } from '../../src/operations/declarations.ts';
import type { Operation } from '../../src/operations/declare.ts';
import { fieldsOf } from '../../src/operations/fields-of.ts';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { messageFor, rightOf, wrong } from '../helper/declared-inputs.ts';
import { asAdministrator, newSubject, newUser, PageClient, password, textOf } from '../helper/page-client.ts';

const routes = { administrator: adminPages.routes, company: dashboardPages.routes };
const pathOf = (portal: Portal, operation: Operation): string | undefined =>
  routes[portal].find(({ operations }) => operations.includes(operation))?.path;
const hasForm = (portal: Portal, path: string): boolean =>
  routes[portal].some((route) => route.method === 'post' && route.path === path);

describe('the pages of what people can do', () => {
  let clients: Record<Portal, PageClient>;
  let fill: (path: string) => string;
  before(async () => {
    const { acme, fill: ofSubject } = await newSubject();
    fill = ofSubject;
    const person = await PageClient.signedIn('company', await newUser(acme));
    clients = { administrator: await asAdministrator(), company: person };
  });

  it('are there, unless the declaration says why not', () => {
    for (const operation of declarations)
      expect(pathOf('administrator', operation) === undefined, operation.command).to.equal(
        operation.noPage !== undefined,
      );
  });

  for (const portal of ['administrator', 'company'] as const)
    for (const operation of declarations) {
      const route = pathOf(portal, operation);
      if (!route || operation.records === undefined || !hasForm(portal, route)) continue;
      it(`${portal}, ${operation.command}: asks, and refuses what breaks a rule of the input, with the message of the command`, async () => {
        const [client, path] = [clients[portal], fill(route)];
        let page = await client.get(path);
        expect(page.status).to.equal(200);
        expect(textOf(page, 'h1')).to.contain(operation.title);
        expect(page.document.querySelector('.danger') !== null).to.equal(operation.dangerous !== undefined);
        const fields = fieldsOf(operation.input).filter(({ name }) =>
          page.document.querySelector(`main [name=${name}]`),
        );
        const typed = fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, rightOf(field)[1]]);
        const needed: Record<string, string> = { ...Object.fromEntries(typed), currentPassword: password };
        for (const field of fields)
          for (const [value, text] of wrong[field.kind]) {
            const message = messageFor(operation, field.name, value);
            // An empty field that may be missing is missing.
            if (message === undefined || (text === '' && !field.isRequired)) continue;
            page = await client.submit(page, path, { ...needed, [field.name]: text });
            const about = `${field.name}: ${text.slice(0, 30)}`;
            expect(page.status, about).to.equal(422);
            const shown = textOf(page, `#${field.name}-error`).replace(/(?<=\d),(?=\d{3})/g, '');
            expect(shown, about).to.contain(message);
            const input = (name: string) => page.document.querySelector<HTMLInputElement>(`#${name}`);
            const attributes = ['aria-invalid', 'aria-describedby'].map((name) =>
              input(field.name)?.getAttribute(name),
            );
            // Regions are many boxes.
            if (field.kind !== 'ids')
              expect(attributes.join(), about).to.match(new RegExp(`^true,.*${field.name}-error`));
            for (const { name, kind } of fields)
              if (name !== field.name && name in needed && ['line', 'text', 'email', 'day'].includes(kind))
                expect(input(name)?.value, `${about}, ${name} is kept`).to.equal(needed[name]);
            expect(page.document.querySelectorAll('[type=password][value]'), about).to.have.length(0);
          }
      });
    }
});
