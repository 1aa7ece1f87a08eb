/** The record whose history is shown. */
export interface HistoryOf {
  /** The wire name of the record's kind: `facility`. */
  readonly item: string
  readonly id: number
  /** The client that owns it; undefined if no client does. */
  readonly clientId?: number | undefined
}
