/** Values as people and programs get them, by name. Ids are bigints: people read them as they are, numbers with separators. */
export type Shown = Readonly<Record<string, unknown>>;

interface Command {
  /** Noun and verb. */
  readonly command: string;
}

/** The field that names what a noun is: companyId. */
export const idField = (noun: string): string => `${noun}Id`;

/** The field that names what the command's noun is. */
export const idOf = ({ command }: Command): string => idField(command.replace(/ .*/, ''));

/** A name in JSON: `createdAt` is created_at, and the `id` of a company company_id. */
export const shownName = (command: Command, name: string): string =>
  (name === 'id' ? idOf(command) : name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** All values of a result or a row. */
export const shownOf = (command: Command, values: object): Shown =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [shownName(command, name), value]));
