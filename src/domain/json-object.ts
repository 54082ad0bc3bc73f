/** Whether a parsed JSON value is an object, rather than an array, a scalar or null. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
