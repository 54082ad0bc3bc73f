/** Matches a string, a quoted name, a dollar-quoted body, a comment (each up to its end or the end of the script), or a semicolon. */
const token = /'(?:[^']|'')*(?:'|$)|"[^"]*(?:"|$)|(\$\w*\$)[\s\S]*?(?:\1|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|;/g;

/** Splits an SQL script into its statements. Removes comments outside strings and dollar quotes. Does not parse escape strings (E'...'). */
export function splitStatements(script: string): string[] {
  const statements = [''];
  let read = 0;
  for (const { 0: found, index } of script.matchAll(token)) {
    statements.push(`${statements.pop()}${script.slice(read, index)}`);
    read = index + found.length;
    if (found === ';') statements.push('');
    else if (!/^(--|\/\*)/.test(found)) statements.push(`${statements.pop()}${found}`);
  }
  statements.push(`${statements.pop()}${script.slice(read)}`);
  return statements.map((statement) => statement.trim()).filter(Boolean);
}
