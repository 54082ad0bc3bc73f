import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../src/database/prisma-folder.ts';

it('every link between the documents leads to a file, and to a heading in it', () => {
  const pages = readdirSync(packageRoot, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !/node_modules|^dist|^data|src\/web/.test(name),
  );
  const textOfPage = (path: string) => readFileSync(join(packageRoot, path), 'utf8');
  const anchors = (text: string) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
  const broken = pages.flatMap((page) =>
    [...textOfPage(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)/g)].flatMap(([link, path = '', anchor]) => {
      const target = path === '' ? page : join(dirname(page), path);
      try {
        const text = textOfPage(target);
        return anchor === undefined || anchors(text).includes(anchor) ? [] : [`${page}: ${link}`];
      } catch {
        return [`${page}: ${link}`];
      }
    }),
  );
  expect(broken).to.deep.equal([]);
});
