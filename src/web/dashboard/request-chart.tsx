import type { requestsPerMinute } from '../../operations/requests/list-requests.ts';
import { useT } from '../texts/t.ts';

export type Minutes = Awaited<ReturnType<typeof requestsPerMinute>>;

const barWidth = 4;
const chartHeight = 48;

/** The requests of the last hour: one bar per minute, refused requests on top in another colour. */
export function RequestChart({ minutes }: { readonly minutes: Minutes }) {
  const t = useT();
  const total = sum(minutes.map(({ requests }) => requests));
  if (total === 0) return <p>{`${t('No requests in the last hour')}.`}</p>;
  const text = t('{{count}} requests in the last hour, {{refused}} refused', {
    count: total,
    refused: sum(minutes.map(({ refused }) => refused)),
    one: '{{count}} request in the last hour, {{refused}} refused',
  });
  const most = Math.max(...minutes.map(({ requests }) => requests), 1);
  const heightOf = (count: number): number => Math.round((count / most) * chartHeight);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${minutes.length * barWidth} ${chartHeight}`}
        role="img"
        aria-label={text}
        preserveAspectRatio="none"
      >
        {minutes.map(({ minute, requests, refused }, index) => {
          const [height, refusedHeight] = [heightOf(requests), heightOf(refused)];
          const [x, y] = [index * barWidth, chartHeight - height];
          return (
            <g key={minute.toISOString()}>
              <rect x={x} y={y} width={barWidth - 1} height={height} class="accepted" />
              <rect x={x} y={y} width={barWidth - 1} height={refusedHeight} class="refused" />
            </g>
          );
        })}
      </svg>
      <figcaption>{`${text}.`}</figcaption>
    </figure>
  );
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
