import type { requestsPerMinute } from '../../../operations/requests/list-requests.ts';

interface Props {
  readonly minutes: Awaited<ReturnType<typeof requestsPerMinute>>;
}

const barWidth = 4;
const height = 48;

/** The requests of the last hour, a bar for each minute, those refused on top of it in another colour. */
export function RequestChart({ minutes }: Props) {
  const total = sum(minutes.map(({ requests }) => requests));
  const refused = sum(minutes.map(({ refused: count }) => count));
  const text =
    total === 0
      ? 'No requests in the last hour'
      : `${total} ${total === 1 ? 'request' : 'requests'} in the last hour, ${refused} of them refused`;
  const most = Math.max(...minutes.map(({ requests }) => requests), 1);
  const tall = (count: number): number => Math.round((count / most) * height);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${minutes.length * barWidth} ${height}`}
        role="img"
        aria-label={text}
        preserveAspectRatio="none"
      >
        {minutes.map(({ minute, requests, refused: bad }, index) => (
          <g key={minute.toISOString()}>
            <rect {...bar(index, tall(requests), 0)} class="accepted" />
            <rect {...bar(index, tall(bad), tall(requests) - tall(bad))} class="refused" />
          </g>
        ))}
      </svg>
      <figcaption>{`${text}.`}</figcaption>
    </figure>
  );
}

const bar = (index: number, tall: number, above: number) => ({
  x: index * barWidth,
  y: height - tall - above,
  width: barWidth - 1,
  height: tall,
});

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
