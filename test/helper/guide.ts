import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/database/prisma-folder.ts';

/** The operator's guide with its three parts. */
export const guide = ['README.md', 'install.md', 'operate.md', 'releases.md', 'reference.md']
  .map((name) => readFileSync(join(packageRoot, 'scripts/deploy', name), 'utf8'))
  .join('\n');

/** A block of commands of the deploy guide, with the paragraph before it. */
interface Block {
  readonly before: string;
  readonly commands: string;
}

export const guideBlocks: readonly Block[] = [...guide.matchAll(/^```(?:sh|sql)\n([^`]*?)^```$/gm)].map(
  ({ index, 1: commands = '' }) => ({ before: guide.slice(0, index).trimEnd().split('\n\n').at(-1) ?? '', commands }),
);

/** The commands within its sentences, in words. */
export const inlineCommands: readonly (readonly string[])[] =
  guide
    .replaceAll(/^```[^`]*^```$/gm, '')
    .match(/(?<=`)(npm run|vaga|tar|git|docker|systemctl|journalctl) [^`>]+/g)
    ?.map((command) => command.match(/(?<=")[^"]+(?=")|[^\s"]+/g) ?? []) ?? [];

/** The paths of an installed release, in place of which a test runs this one. */
export const ofThisRelease = { '/opt/vaga/current': packageRoot };

/** The block with this text, with other words in place of some. */
export function guideCommands(text: string, replaced: Readonly<Record<string, string>> = {}): string {
  const [block, ...others] = guideBlocks.filter(({ commands }) => commands.includes(text));
  if (!block || others.length > 0) throw new Error(`not one block of the guide has ${text}`);
  return Object.entries(replaced).reduce((commands, pair) => commands.replaceAll(...pair), block.commands);
}
