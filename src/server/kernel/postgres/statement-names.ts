/** Names the statements of a pool, so that PostgreSQL parses each once per connection. */
import { hash } from 'node:crypto'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import Cursor from 'pg-cursor'

/** Gives Kysely the pool's clients, with statements sent under a stable name, so that PostgreSQL parses each once per connection. */
export function namingPool(pool: pg.Pool): PostgresPool {
  const nameOf = statementNames()
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const known = wrapped.get(client) ?? namingClient(client, nameOf)
      wrapped.set(client, known)
      return known
    },
  }
}

function namingClient(client: pg.PoolClient, nameOf: NameOf): PostgresPoolClient {
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(first: unknown, parameters: readonly unknown[] = []): unknown {
    if (first instanceof Cursor) return client.query(first)
    if (typeof first !== 'string') throw new TypeError('a statement is text or a cursor')
    const name = nameOf(first)
    const values = [...parameters]
    return client.query(name === undefined ? { text: first, values } : { name, text: first, values })
  }
  return { query, release: (destroy) => client.release(destroy) }
}

const NAMED_TEXTS_MAX = 500
const SEEN_ONCE_MAX = 2_000
const NAMED_TEXT_BYTES_MAX = 32_000

/** Returns the name under which a text is prepared, or undefined to send it unnamed. */
type NameOf = (text: string) => string | undefined

/**
 * Names of one pool's statements. Only statements that read or write rows are named. A text gets its name the second time it occurs, so
 * that one-off texts (lists of many lengths) do not use up the names, which every connection keeps for its whole life.
 */
function statementNames(): NameOf {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= NAMED_TEXTS_MAX || text.length > NAMED_TEXT_BYTES_MAX) return undefined
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) return undefined
    if (!seenOnce.has(text)) {
      if (seenOnce.size >= SEEN_ONCE_MAX) seenOnce.clear()
      seenOnce.add(text)
      return undefined
    }
    seenOnce.delete(text)
    const name = `mb_${hash('sha256', text, 'hex').slice(0, 32)}`
    names.set(text, name)
    return name
  }
}
