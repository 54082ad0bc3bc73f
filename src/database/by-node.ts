import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../domain/errors.ts';
import type { Connections } from './connections.ts';

interface Node {
  readonly node: number;
  readonly host: string;
  readonly port: number;
}

const probedMs = 1000;
/** Half of the default MAX_IN_FLIGHT: without a bound, requests that wait for a hanging node take the slots of all others. */
const waitingMax = 128;

/** More companies than are active in ten minutes; beyond it, all are looked up again. */
const companiesMax = 100_000;
const rememberedMs = 600_000;

/**
 * On Citus the companies of each node have connections of their own, so that a node that hangs or is down holds up its own companies only.
 * A company is found on its node again after ten minutes, as Citus may have moved it; until then it only uses another node's connections.
 */
export class ConnectionsByNode {
  readonly #shared: Connections;
  readonly #open: () => Promise<Connections>;
  readonly #nodes = new Map<number, Promise<Connections>>();
  #companies = new Map<bigint, Promise<number>>();
  #forgottenAt = 0;
  readonly #probes = new Map<number, Promise<boolean>>();
  readonly #waiting = new Map<Connections, number>();

  /** `shared` is for statements about no company; `open` makes more of its kind. */
  constructor(shared: Connections, open: () => Promise<Connections>) {
    this.#shared = shared;
    this.#open = open;
  }

  readonly of = async (companyId: bigint): Promise<Connections> => this.#connectionsOf(await this.#nodeOf(companyId));

  /** Throws 503 `database` if too many others wait for the company's node. */
  readonly admit = async <T>(companyId: bigint, work: (connections: Connections) => Promise<T>): Promise<T> => {
    const connections = await this.of(companyId);
    const waiting = this.#waiting.get(connections) ?? 0;
    if (waiting >= waitingMax) throw unavailable('database', 'The database does not answer in time; try again.', 1);
    this.#waiting.set(connections, waiting + 1);
    try {
      return await work(connections);
    } finally {
      this.#waiting.set(connections, (this.#waiting.get(connections) ?? 1) - 1);
    }
  };

  /** The nodes with companies, and those of them that have not answered within a second. */
  readonly nodes = async (): Promise<{ readonly all: number[]; readonly missing: number[] }> => {
    const rows = await this.#shared.admission.rows<Node>({
      text: `SELECT groupid AS node, nodename AS host, nodeport AS port FROM pg_dist_node
              WHERE shouldhaveshards AND noderole = 'primary' ORDER BY groupid`,
      values: [],
    });
    const answers = await Promise.all(
      rows.map((node) => Promise.race([this.#probe(node), sleep(probedMs, false, { ref: false })])),
    );
    return { all: rows.map(({ node }) => node), missing: rows.flatMap(({ node }, i) => (answers[i] ? [] : [node])) };
  };

  /** The connections of all nodes so far. */
  opened(): Promise<Connections[]> {
    return Promise.all(this.#nodes.values());
  }

  #connectionsOf(node: number): Promise<Connections> {
    const opened = this.#nodes.get(node) ?? this.#open();
    this.#nodes.set(node, opened);
    return opened;
  }

  /** One at a time for each node: one that hangs would keep every probe waiting. */
  #probe({ node, host, port }: Node): Promise<boolean> {
    const probe = this.#probes.get(node) ?? this.#askNode(node, host, port).finally(() => this.#probes.delete(node));
    this.#probes.set(node, probe);
    return probe;
  }

  async #askNode(node: number, host: string, port: number): Promise<boolean> {
    const { admission } = await this.#connectionsOf(node);
    const asking = admission.rows<{ answers: boolean }>({
      text: 'SELECT citus_check_connection_to_node($1, $2) AS answers',
      values: [host, port],
    });
    return asking.then(
      ([row]) => row?.answers === true,
      () => false,
    );
  }

  #nodeOf(companyId: bigint): Promise<number> {
    const now = Date.now();
    if (this.#companies.size >= companiesMax || now - this.#forgottenAt > rememberedMs) {
      this.#companies = new Map();
      this.#forgottenAt = now;
    }
    const known = this.#companies.get(companyId);
    const found = known ?? this.#findNode(companyId);
    if (known === undefined) this.#remember(companyId, found);
    return found;
  }

  #remember(companyId: bigint, found: Promise<number>): void {
    const companies = this.#companies.set(companyId, found);
    found.catch(() => companies.delete(companyId));
  }

  /** Asks the coordinator, which knows without its nodes. */
  async #findNode(companyId: bigint): Promise<number> {
    const [row] = await this.#shared.admission.rows<{ node: number }>({
      text: `SELECT groupid AS node FROM pg_dist_placement
              WHERE shardid = get_shard_id_for_distribution_column('companies', $1::bigint) LIMIT 1`,
      values: [companyId],
    });
    return row?.node ?? 0;
  }
}
