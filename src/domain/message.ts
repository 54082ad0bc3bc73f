/** An English text with the values of its `{{placeholders}}`. The text is its own key for translation. */
export interface Message {
  readonly text: string;
  readonly params?: MessageParams;
  /** Names of the contract in the text, for which each adapter has its own words: a header, or `GET /categories`. */
  readonly names?: Readonly<Record<string, string>>;
  /** What only programs read after the text, with the same placeholders: '; see {{list}}'. */
  readonly advice?: string;
}

export type MessageParams = Readonly<Record<string, unknown>>;

/** What is wrong with a field, completing "The field ...", and with which part of its value: item 2 for `['1']`. */
export type FieldError = readonly [field: string, message: Message, at?: readonly string[]];

/** Translates a name of the contract into a caller's word. REST has the contract's. */
export type NameOf = (name: string) => string;

export const contractName: NameOf = (name) => name;

/** The text and advice with their values. A null value reads "-". */
export const filled = (
  { text, advice = '', params = {}, names = {} }: Message,
  nameOf: NameOf = contractName,
): string =>
  (text + advice).replace(/\{\{(\w+)\}\}/g, (placeholder, key: string) => {
    const name = names[key];
    if (name !== undefined) return nameOf(name);
    return key in params ? wordOf(params[key]) : placeholder;
  });

/** What is wrong, after the place inside the field: `city must ...`, `item 2 level must ...`. */
export const filledError = ([, message, at = []]: FieldError, nameOf: NameOf = contractName): string =>
  at.reduceRight(
    (said, step) => `${/^\d+$/.test(step) ? `item ${Number(step) + 1}` : step} ${said}`,
    filled(message, nameOf),
  );

/** The message with further advice. */
export const withAdvice = (message: Message, { advice = '', params, names }: Partial<Message> = {}): Message => ({
  text: message.text,
  params: { ...message.params, ...params },
  names: { ...message.names, ...names },
  advice: (message.advice ?? '') + advice,
});

function wordOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return String(value ?? '-');
}
