/** A string, a quoted name, a body in dollar quotes, a comment (each up to its end or the script's), or the end of a statement. */
const token = /'(?:[^']|'')*(?:'|$)|"[^"]*(?:"|$)|(\$\w*\$)[\s\S]*?(?:\1|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|;/g;

/** Splits an SQL script into its statements, without comments between tokens. Does not understand escape strings (E'...'). */
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
