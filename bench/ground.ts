/** The base of every measurement: a world, the product and the thin server on it, users, and a plain pool for raw statements. */
import pg from 'pg'
import { typeParsers } from '../src/server/kernel/postgres/database-types.ts'
import { makePerson, startProduct, type Credentials, type Product } from './product.ts'
import { startThin } from './thin.ts'
import type { World } from './world.ts'

const rawConnections = 16

export interface Ground {
  readonly world: World
  /** Process id of the database server. */
  readonly databasePid: number
  readonly product: Product
  readonly thin: Omit<Product, 'welcome' | 'liveMib'>
  readonly raw: pg.Pool
  /** A user who may do everything, and one who sees six of client 1's forty divisions. */
  readonly admin: Credentials
  readonly narrowed: Credentials
  /** Duration of one cell of a round. */
  readonly cellMs: number
  stop(): Promise<void>
}

export const narrowedDivisions = [1, 2, 3, 4, 5, 6]

export async function openGround(world: World, databasePid: number, dataFolder: string, cellMs: number): Promise<Ground> {
  const raw = new pg.Pool({ connectionString: world.url, max: rawConnections, types: typeParsers })
  // Its connections may still be closing when the database stops.
  raw.on('error', () => undefined)
  const admin = await makePerson(raw, 'super_admin', { clients: [], divisions: [] })
  const narrowed = await makePerson(raw, 'client_user', { clients: [1], divisions: narrowedDivisions })
  const product = await startProduct({ DATABASE_URL: world.url, DATA_DIR: dataFolder })
  const thin = await startThin(world.url)
  return {
    world,
    databasePid,
    product,
    thin,
    raw,
    admin,
    narrowed,
    cellMs,
    stop: async () => {
      await Promise.all([product.stop(), thin.stop()])
      await raw.end()
    },
  }
}
