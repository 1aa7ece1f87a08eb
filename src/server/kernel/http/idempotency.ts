/**
 * One effect per key: the answer to the first request is stored with its work and returned for every repeat. A 5xx before the commit stores
 * nothing, so that a retry can succeed.
 */
import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Tables, Tx } from '../postgres/database.ts'
import { invalid, refused } from '../problem.ts'

export interface Intent {
  readonly userId: number
  readonly key: string
  readonly request: { readonly url: string; readonly body: unknown }
}

/** Days for which keys are kept. */
export const idempotencyDays = 7

/** Runs `work` once for this key. Throws 422 if the key came with another body, 409 while the first request is running. */
export async function idempotent(db: Kysely<Tables>, intent: Intent, work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  const requestHash = createHash('sha256')
    .update(JSON.stringify([intent.request.url, intent.request.body ?? null]))
    .digest()
  return db.transaction().execute(async (tx) => {
    // The row of the key is inserted first, so that a second request waits for the commit of the first.
    const { rows: mine } =
      await sql`insert into idempotency_keys (user_id, key, request_hash, state) values (${intent.userId}, ${intent.key}, ${requestHash}, 'running')
      on conflict do nothing returning key`.execute(tx)
    if (mine.length === 0) return storedAnswer(tx, intent, requestHash)
    const answer = await work(tx)
    await sql`update idempotency_keys set state = 'done', status = 200, body = ${JSON.stringify(answer ?? null)}::jsonb
      where user_id = ${intent.userId} and key = ${intent.key}`.execute(tx)
    return answer
  })
}

async function storedAnswer(tx: Tx, intent: Intent, requestHash: Buffer): Promise<unknown> {
  const { rows } = await sql<{ request_hash: Buffer; state: string; body: unknown }>`
    select request_hash, state, body from idempotency_keys where user_id = ${intent.userId} and key = ${intent.key}`.execute(tx)
  const stored = rows[0]
  if (!stored || stored.state === 'running') throw refused('The same request is still running.')
  if (!stored.request_hash.equals(requestHash)) throw invalid({ 'idempotency-key': ['This Idempotency-Key was used for another request.'] })
  return stored.body
}
