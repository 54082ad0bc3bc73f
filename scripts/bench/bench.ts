/** What a bench gets besides its settings. */
export interface Run {
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Registers a clean-up step; steps run at the end, the last first. */
  undo(step: () => Promise<void>): void;
}

export interface Settings {
  readonly rounds: number;
  readonly jobs: number;
  /** Other checkouts. */
  readonly against: readonly string[];
}

export interface Bench {
  readonly about: string;
  readonly defaults: Partial<Settings>;
  /** Returns Markdown, a part each. */
  measure(settings: Settings, run: Run): Promise<string[]>;
}
