import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import type { EditedProject } from './edited-project.ts';

/** One step of a recipe: text for a file, at a place in it, or a command of npm. */
type Step =
  | { readonly file: string; readonly place: string; readonly at: string; readonly text: string }
  | { readonly npm: readonly string[] };

/** The places that a step names, as in: below `createCompany,`. Without one, the text is the whole file. */
const places = /\b(above|below|in place of)\s+(?:`` (.+?) ``|`([^`]+)`)/gs;

/** The steps of the numbered list below a heading. A step's blocks of code belong to its places, in order. */
export async function recipeIn(page: string, heading: string): Promise<Step[]> {
  const [, section = ''] = (await readFile(join(packageRoot, page), 'utf8')).split(`\n## ${heading}\n`);
  const [recipe = ''] = section.split('\n## ');
  return recipe.split(/^(?=\d+\. )/m).flatMap((paragraphs): Step[] => {
    const [step = ''] = paragraphs.split(/\n(?=\S)/);
    if (!/^\d/.test(step)) return [];
    const blocks = [...step.matchAll(/^ {3}```\w+\n(.*?)^ {3}```$/gms)];
    const [words = ''] = step.split('\n   ```');
    const [, file = ''] = /`([\w./-]+\.\w+)`/.exec(words) ?? [];
    const named = [...words.matchAll(places)];
    const edits = blocks.map(([, code = ''], n): Step => {
      const [, place = '', quoted, at = quoted ?? ''] = named[n] ?? [];
      return { file, place, at, text: code.replaceAll(/^ {3}/gm, '') };
    });
    const commands = [...words.matchAll(/`npm run ((?:generate|new-migration)(?: -- [\w ]+)?)`/g)];
    return [...edits, ...commands.map(([, command = '']): Step => ({ npm: command.replace(' -- ', ' ').split(' ') }))];
  });
}

/** Follows a recipe in a copy of the project. Throws if a place is not in its file. */
export async function follow(project: EditedProject, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if ('npm' in step) {
      const [script = '', ...options] = step.npm;
      await project.npm(script, ...options);
      continue;
    }
    const { file, place, at, text } = step;
    const lines = existsSync(project.path(file)) ? (await readFile(project.path(file), 'utf8')).split('\n') : [];
    const found = lines.findIndex((line) => line.trimStart().startsWith(at));
    if (place === '' ? lines.length > 0 : found < 0) throw new Error(`${file} has no place ${place} ${at}`);
    if (place === '') {
      await mkdir(dirname(project.path(file)), { recursive: true });
      await writeFile(project.path(file), text);
    } else {
      lines.splice(
        place === 'below' ? found + 1 : found,
        place === 'in place of' ? 1 : 0,
        ...text.replace(/\n$/, '').split('\n'),
      );
      await writeFile(project.path(file), lines.join('\n'));
    }
  }
}
