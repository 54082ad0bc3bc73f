// node run-collection.mjs COLLECTION [TOKEN]: sends the requests of a Postman collection, and prints how each was answered, which of its
// checks failed, and what Prism found in the request and in the response. TOKEN is for the variable of Postman's own import.
import { readFileSync } from 'node:fs';
import newman from 'newman';

const collection = JSON.parse(readFileSync(process.argv[2], 'utf8'));
newman.run({ collection, envVar: [{ key: 'bearerToken', value: process.argv[3] ?? '' }] }, (error, summary) => {
  if (error) throw error;
  const { run } = summary;
  const sent = run.executions.map(({ item, request, response, assertions = [] }) => ({
    name: `${request.method} ${item.name}`,
    url: request.url.toString(),
    body: String(response?.stream ?? ''),
    status: response?.code,
    violations: JSON.parse(response?.headers.get('sl-violations') ?? '[]'),
    failed: assertions.flatMap(({ assertion, error }) => (error ? [`${assertion}: ${error.message}`] : [])),
  }));
  console.log(JSON.stringify({ checks: run.stats.assertions.total, sent }));
});
