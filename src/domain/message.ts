/** An English text with the values of its `{{placeholders}}`. The text is its own key for translation. */
export interface Message {
  readonly text: string;
  readonly params?: MessageParams;
}

export type MessageParams = Readonly<Record<string, unknown>>;

/** The text with its values. A null value reads "-". */
export const filled = ({ text, params = {} }: Message): string =>
  text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => (name in params ? wordOf(params[name]) : placeholder));

function wordOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return String(value ?? '-');
}
