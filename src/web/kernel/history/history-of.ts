/** Which record's history is asked for. */
export interface HistoryOf {
  /** The wire name of its kind: `facility`. */
  readonly item: string
  readonly id: number
  /** The client that owns it; nothing where it belongs to none. */
  readonly clientId?: number | undefined
}
