import { expect } from 'chai';
import { declarations } from '../../src/operations/declarations.ts';
import { fieldsOf } from '../../src/operations/fields-of.ts';
import { adminPages } from '../../src/web/admin/admin.ts';
import { messageFor, rightOf, wrong } from '../helper/declared-inputs.ts';
import { asAdministrator, newSubject, type PageClient, password, textOf } from '../helper/page-client.ts';

const pageOf = (operation: (typeof declarations)[number]) =>
  adminPages.routes.find((route) => route.operations.includes(operation));

describe('the pages of what people can do', () => {
  let client: PageClient;
  let fill: (path: string) => string;
  before(async () => {
    client = await asAdministrator();
    ({ fill } = await newSubject());
  });

  it('are there, unless the declaration says why not', () => {
    for (const operation of declarations)
      expect(pageOf(operation) === undefined, operation.command).to.equal(operation.noPage !== undefined);
  });

  for (const operation of declarations) {
    const route = pageOf(operation);
    if (!route || operation.records === undefined) continue;
    it(`${operation.command}: asks, and refuses what breaks a rule of the input, with the message of the command`, async () => {
      const path = fill(route.path);
      let page = await client.get(path);
      expect(page.status).to.equal(200);
      expect(textOf(page, 'h1')).to.contain(operation.title);
      expect(page.document.querySelector('.danger') !== null).to.equal(operation.dangerous !== undefined);
      const fields = fieldsOf(operation.input).filter(({ name }) => page.document.querySelector(`main [name=${name}]`));
      const typed = fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, rightOf(field)[1]]);
      const needed = { ...Object.fromEntries(typed), currentPassword: password };
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
        }
    });
  }
});
