/** What the style of an element changes about its content, among what is kept. */
export interface Style {
  readonly isHidden: boolean;
  /** Begins and ends a line. */
  readonly isBlock: boolean;
  /** Whether its children are blocks. */
  readonly hasBlocks: boolean;
  /** Whether line feeds are shown. Undefined if that is inherited. */
  readonly keepsLines: boolean | undefined;
  readonly isNormalWeight: boolean;
}

const plain: Style = {
  ...{ isHidden: false, isBlock: false, hasBlocks: false, keepsLines: undefined, isNormalWeight: false },
};

/** One declaration. Strings and brackets may contain semicolons; without an end, they reach to the end of the attribute. */
const declaration = /(?:"[^"]*"?|'[^']*'?|\([^)]*\)?|[^;"'(])+/g;

/** The value of each property, in lower case. The last declaration of a property counts, also against an `!important` one. */
function propertiesOf(style: string): ReadonlyMap<string, string> {
  const declarations = style.toLowerCase().match(declaration) ?? [];
  return new Map(
    declarations.map((text) => {
      const [property = '', ...value] = text.split(':');
      return [property.trim(), value.join(':').trim()] as const;
    }),
  );
}

/** Reads the attributes `style` and `hidden`. */
export function styleOf(style: string | undefined, hidden: string | undefined): Style {
  if (style === undefined && hidden === undefined) return plain;
  const properties = propertiesOf(style ?? '');
  const display = properties.get('display');
  const space = properties.get('white-space') ?? properties.get('white-space-collapse');
  return {
    isHidden: display === undefined ? hidden !== undefined : /^none\b/.test(display),
    isBlock: /^(?:block|flex|flow-root|grid|list-item|table)\b/.test(display ?? ''),
    hasBlocks: /^(?:inline-)?(?:flex|grid)\b/.test(display ?? ''),
    keepsLines: space === undefined ? undefined : /^(?:pre|break-spaces)/.test(space),
    isNormalWeight: /^(?:normal|400)\b/.test(properties.get('font-weight') ?? ''),
  };
}
