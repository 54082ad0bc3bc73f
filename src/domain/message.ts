/** An English text with the values of its `{{placeholders}}`. The text is its own key for translation. */
export interface Message {
  readonly text: string;
  readonly params?: MessageParams;
  /** The contract's names in the text, such as a header or `GET /categories`. An adapter may replace them with its own words. */
  readonly names?: Readonly<Record<string, string>>;
  /** More text for programs only, which follows `text` and may have the same placeholders: '; see {{list}}'. */
  readonly advice?: string;
}

export type MessageParams = Readonly<Record<string, unknown>>;

/** A field, a message that completes "The field ...", and the part of the field's value that is wrong: item 2 for `['1']`. */
export type FieldError = readonly [field: string, message: Message, at?: readonly string[]];

/** Translates a name of the contract into the caller's word for it. REST uses the contract's names unchanged. */
export type NameOf = (name: string) => string;

export const contractName: NameOf = (name) => name;

/** Returns the text and advice with their placeholders filled in. A null value becomes "-". */
export const filled = (
  { text, advice = '', params = {}, names = {} }: Message,
  nameOf: NameOf = contractName,
): string =>
  (text + advice).replace(/\{\{(\w+)\}\}/g, (placeholder, key: string) => {
    const name = names[key];
    if (name !== undefined) return nameOf(name);
    return key in params ? wordOf(params[key]) : placeholder;
  });

/** Returns the message, preceded by the place inside the field: `city must ...`, `item 2 level must ...`. */
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
