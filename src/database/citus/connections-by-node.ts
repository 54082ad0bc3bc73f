import { setTimeout as sleep } from 'node:timers/promises';
import { TooManyWaiting } from '../database-errors.ts';
import type { Connections } from '../open-pools.ts';
import type { Db, PoolSettings, Reachable, Rows } from '../pool.ts';
import { withoutNodes } from './left-out.ts';

/** A node of Citus and its address. */
export interface Node {
  readonly node: number;
  readonly host: string;
  readonly port: number;
}

const nodeColumns = 'groupid AS node, nodename AS host, nodeport AS port';

export interface NodeConnections extends Connections {
  close(): Promise<void>;
}

/** How many requests may wait for one server: half of the default MAX_IN_FLIGHT. Otherwise, requests to a hanging node would take every slot. */
const waitingMax = 128;

/** The most companies whose node is remembered, more than are active in ten minutes. At this number, every node is looked up again. */
const companiesMax = 100_000;
const rememberedMs = 600_000;

/**
 * With Citus, sends a company's statements directly to the company's node. So each statement is planned once instead of twice, and a node
 * that hangs or is down delays only its own companies. A company's node is looked up again after ten minutes, because Citus may have moved
 * the company; until then, the old node forwards the company's statements.
 */
export class ConnectionsByNode {
  readonly #coordinator: Rows;
  readonly #open: (node: Node) => Promise<NodeConnections>;
  #opened = new Map<string, Promise<NodeConnections>>();
  #companies = new Map<bigint, Promise<NodeConnections>>();
  /** The connections known before the last reset, used if the coordinator does not answer. */
  #formerly = new Map<bigint, Promise<NodeConnections>>();
  #forgottenAt = 0;
  #known: readonly Node[] = [];
  readonly #probes = new Map<string, Promise<boolean>>();
  readonly #nodeWaitMs: number;

  /** `shared` are the connections to the coordinator; `open` opens the connections to a node. */
  constructor(
    shared: Connections,
    open: (node: Node) => Promise<NodeConnections>,
    // Every list across companies waits this long for a hanging node; a healthy node answers in milliseconds.
    { nodeWaitMs = 1000 }: Pick<PoolSettings, 'nodeWaitMs'>,
  ) {
    this.#coordinator = bounded(shared.admission);
    this.#nodeWaitMs = nodeWaitMs;
    this.#open = async (node) => {
      const connections = await open(node);
      return { ...connections, admission: bounded(connections.admission) };
    };
  }

  readonly connectionsFor = (companyId: bigint): Promise<Connections> => {
    const now = performance.now();
    if (this.#companies.size >= companiesMax || now - this.#forgottenAt > rememberedMs) {
      this.#formerly = this.#companies;
      this.#companies = new Map();
      this.#forgottenAt = now;
    }
    return this.#companies.get(companyId) ?? this.#find(companyId);
  };

  /**
   * Lists in `all` the nodes that store companies (as last read, if the coordinator hangs), and in `missing` the nodes that do not confirm in
   * time that they take writes.
   */
  readonly nodes = async (): Promise<{ readonly all: number[]; readonly missing: number[] }> => {
    const listed = this.#list().then(
      (nodes) => {
        this.#known = nodes;
      },
      () => undefined,
    );
    // Before the nodes are known once, nothing can be said without the coordinator.
    if (this.#known.length === 0) await listed;
    else await Promise.race([listed, sleep(this.#nodeWaitMs, undefined, { ref: false })]);
    const nodes = this.#known;
    const answers = await Promise.all(
      nodes.map((node) => Promise.race([this.#probe(node), sleep(this.#nodeWaitMs, false, { ref: false })])),
    );
    return { all: nodes.map(({ node }) => node), missing: nodes.flatMap(({ node }, i) => (answers[i] ? [] : [node])) };
  };

  /** Returns the coordinator's `db` restricted to the nodes that answer. Undefined if all nodes answer. */
  async reachable(db: Db): Promise<Reachable | undefined> {
    const { missing } = await this.nodes();
    return missing.length > 0 ? withoutNodes(db, missing) : undefined;
  }

  /** Closes the connections to the nodes. The next statement looks the nodes up again and reconnects. */
  async forget(): Promise<void> {
    const opened = [...this.#opened.values()];
    this.#opened = new Map();
    this.#companies = new Map();
    this.#formerly = new Map();
    await Promise.allSettled(opened.map(async (node) => (await node).close()));
  }

  #connectionsTo(node: Node): Promise<NodeConnections> {
    const address = addressOf(node);
    const opened = this.#opened.get(address) ?? this.#open(node);
    this.#opened.set(address, opened);
    return opened;
  }

  /** Runs one probe per node at a time: otherwise, more and more probes would wait for a hanging node. */
  #probe(node: Node): Promise<boolean> {
    const address = addressOf(node);
    const probe = this.#probes.get(address) ?? this.#asksWrites(node).finally(() => this.#probes.delete(address));
    this.#probes.set(address, probe);
    return probe;
  }

  async #asksWrites(node: Node): Promise<boolean> {
    const { pools } = await this.#connectionsTo(node);
    const asking = pools.admission.query(`SELECT current_setting('transaction_read_only') = 'off' AS writable`);
    return asking.then(
      ({ rows: [row] }) => row?.writable === true,
      () => false,
    );
  }

  #list(): Promise<Node[]> {
    return this.#coordinator.rows<Node>({
      text: `SELECT ${nodeColumns} FROM pg_dist_node
              WHERE shouldhaveshards AND noderole = 'primary' ORDER BY groupid`,
      values: [],
    });
  }

  #find(companyId: bigint): Promise<NodeConnections> {
    const companies = this.#companies;
    const formerly = this.#formerly.get(companyId);
    const found = this.#findNode(companyId).then(
      (node) => this.#connectionsTo(node),
      (error: unknown) => formerly ?? Promise.reject(error),
    );
    companies.set(companyId, found);
    found.catch(() => companies.delete(companyId));
    return found;
  }

  /** Queries the coordinator, which can name a company's node without reaching the node. */
  async #findNode(companyId: bigint): Promise<Node> {
    const [node] = await this.#coordinator.rows<Node>({
      text: `SELECT ${nodeColumns}
               FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
              WHERE shardid = get_shard_id_for_distribution_column('companies', $1::bigint) AND noderole = 'primary' LIMIT 1`,
      values: [companyId],
    });
    if (!node) throw new Error(`Citus has no node for company ${companyId}`);
    return node;
  }
}

/** Limits how many `admission` queries, which a request sends first, wait for one server. Beyond the limit, `rows` throws TooManyWaiting. */
function bounded(admission: Rows): Rows {
  let waiting = 0;
  const rows = async <T>(statement: Parameters<Rows['rows']>[0]): Promise<T[]> => {
    if (waiting >= waitingMax) throw new TooManyWaiting('too many requests wait for one node of Citus');
    waiting += 1;
    return admission.rows<T>(statement).finally(() => {
      waiting -= 1;
    });
  };
  return { ...admission, rows };
}

const addressOf = ({ host, port }: Node): string => `${host}:${port}`;
