/** What all processes answer with while the service is being worked on. */
export interface Maintenance {
  /** What clients are told to wait. */
  readonly retryAfterSeconds: number;
}

export const retryAfterSecondsMax = 86_400;
