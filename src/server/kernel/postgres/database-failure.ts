/** Meaning of a database or connection error for the caller. The texts of PostgreSQL differ between versions, so SQLSTATE decides. */
import { isBrokenSocket } from '../http/broken-sockets.ts'
import { aroseOnTheWay, refusingTable, sqlState } from './database.ts'
import { isNoRoom } from '../files/no-room.ts'
import { invalid, NoRoom, refused, unavailable, type Failure, busy } from '../problem.ts'

/** Returns the refusal for a database error; undefined if it is an internal error. */
export function databaseFailure(error: unknown): Failure | undefined {
  if (isConnectionLost(error)) return unavailable()
  if (isNoRoom(error)) return new NoRoom()
  switch (sqlState(error)) {
    case '23503':
      return refused(`This record is still used by ${refusingTable(error)?.replaceAll('_', ' ') ?? 'others'}.`)
    case '23505':
      return refused('A record with these values is there already.')
    case '23514':
    case '22003':
    case '22001':
    case '22008':
    case '22021':
    case '22P05':
      return invalid({}, 'A value is outside what can be stored.')
    case '40001':
    case '40P01':
    case '55P03':
      return busy()
    case '57014':
      return unavailable('This took too long and was stopped.')
    case '53200':
      return unavailable()
    default:
      return undefined
  }
}

/**
 * The server ends the session, is starting or stopping, or accepts no more sessions. In addition to these: all of class 08 (connection
 * exception).
 */
const endedSessions = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '53300'])
/** Messages of pg and its pool about a broken connection, in errors without a code. */
const pgWords =
  /^(timeout exceeded when trying to connect|Connection terminated.*|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end on the pool)$/

/**
 * Returns true if the connection to the database broke or was never made: the same work may succeed on another connection. A broken socket
 * looks the same for every peer, so such an error counts only if it arose on a database connection.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = sqlState(error)
  if (state !== undefined) return state.startsWith('08') || endedSessions.has(state)
  if (pgWords.test(error.message)) return true
  return aroseOnTheWay(error) && isBrokenSocket(error)
}
