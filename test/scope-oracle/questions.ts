/** The requests of people (lists that are filtered, sorted and paged, pickers, searches, single records) with their expected answers. */
import { attachables, type AttachableType } from '#contract/documents/document.ts'
import { clientsOf, isNarrowed, seenBy, type RoleRow } from './people.ts'
import { levels, pluralOf, words, type Item, type Kind, type World } from './world.ts'

export interface Draw {
  readonly kind: Kind
  readonly path: string
  /** The key of the rows in the answer, where it is not the kind. */
  readonly rowsKey?: string
  readonly clientId?: number
  /** The account whose services are asked for, the record whose documents, or the group whose subaccounts. */
  readonly owner?: Item
  /** The level of the documents. */
  readonly type?: AttachableType
  readonly word: string
  /** Only what carries the word as this word of its text counts; anywhere in it unless stated. */
  readonly wordAt?: number
  readonly query: string
}

export interface Expected {
  readonly status: number
  readonly ids: readonly number[]
}

export function expectedOf(world: World, rows: readonly RoleRow[], draw: Draw): Expected {
  const { kind, clientId, owner } = draw
  const reaching = rows.filter((row) =>
    clientId === undefined ? clientsOf(world, row).length > 0 : clientsOf(world, row).includes(clientId),
  )
  if (reaching.length === 0) return { status: clientId === undefined ? 403 : 404, ids: [] }
  if (kind.startsWith('ledger_') && reaching.every(isNarrowed)) return { status: 403, ids: [] }
  if (owner && !seenBy(world, rows, owner)) return { status: 404, ids: [] }
  const seen = world.items.filter((item) => isMeant(draw, item) && seenBy(world, rows, item))
  return { status: 200, ids: seen.map(({ id }) => id).toSorted((a, b) => a - b) }
}

function isMeant({ kind, clientId, owner, type, word, wordAt }: Draw, item: Item): boolean {
  if (item.kind !== kind || (clientId !== undefined && item.clientId !== clientId)) return false
  if (type !== undefined) return item.on?.type === type && (!owner || item.on.id === owner.id) && item.text.includes(word)
  if (owner?.kind.startsWith('group_')) return item.groupId === owner.id
  if (owner && !levels.some((level) => owner.kind === pluralOf[level] && item.above[level] === owner.id)) return false
  return wordAt === undefined ? item.text.includes(word) : (item.text.split(' ')[wordAt] ?? '').includes(word)
}

const filterOf: Readonly<Record<Kind, string>> = {
  clients: 'name_cont',
  batch_groups: 'name_cont',
  divisions: 'name_cont',
  facilities: 'name_cont',
  billable_accounts: 'name_cont',
  supply_accounts: 'name_cont',
  group_accounts: 'name_cont',
  group_supply_accounts: 'name_cont',
  services: 'meter_number_cont',
  bills: 'account_number_cont',
  ledger_accounts: 'name_cont',
  ledger_fields: 'name_cont',
  client_vendor_numbers: 'vendor_number_cont',
  documents: 'title_cont',
}
const sortsOf: Readonly<Record<Kind, readonly string[]>> = {
  clients: ['name', 'short_code', 'id'],
  batch_groups: ['name', 'id'],
  divisions: ['name', 'code', 'client', 'id'],
  facilities: ['name', 'number', 'division_name', 'id'],
  billable_accounts: ['name', 'account_number', 'facility', 'city', 'id'],
  supply_accounts: ['name', 'account_number', 'facility', 'city', 'id'],
  group_accounts: ['name', 'account_number', 'id'],
  group_supply_accounts: ['name', 'account_number', 'id'],
  services: ['rank', 'meter_number', 'id'],
  bills: ['created_at', 'date', 'account_number', 'amount_due', 'id'],
  ledger_accounts: ['name', 'id'],
  ledger_fields: ['name', 'id'],
  client_vendor_numbers: ['vendor_name', 'vendor_number', 'id'],
  documents: ['title', 'filename', 'byte_size', 'created_at', 'id'],
}
const everywhere: readonly Kind[] = [
  'clients',
  'divisions',
  'facilities',
  'billable_accounts',
  'supply_accounts',
  'group_accounts',
  'group_supply_accounts',
  'bills',
]

/** `picks` are five random numbers. */
export function listDraw(world: World, askable: readonly Kind[], picks: readonly number[]): Draw {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = picks
  const kind = askable[a % askable.length] ?? 'clients'
  const isAll = kind === 'clients' || (b % 3 === 0 && everywhere.includes(kind))
  const clientId = world.clients[b % world.clients.length]?.id ?? 0
  const word = c % 3 === 0 ? (words[c % words.length] ?? '') : ''
  const sort = sortsOf[kind][d % sortsOf[kind].length]
  const query = [
    ...(word === '' ? [] : [`q[${filterOf[kind]}]=${word.toUpperCase()}`]),
    ...(sort === undefined ? [] : [`q[s]=${sort}%20${e % 2 === 0 ? 'asc' : 'desc'}`]),
    `per=${[2, 7, 50][e % 3] ?? 7}`,
  ].join('&')
  if (isAll) return { kind, path: `/${kind}`, word, query }
  const base = `/clients/${clientId}`
  if (kind === 'documents') return documentsDraw(world, { kind, clientId, word }, query, [c, d, e])
  const groups = world.items.filter((item) => item.clientId === clientId && item.kind === groupsOf[kind])
  const group = groups[d % Math.max(groups.length, 1)]
  if (group && askable.includes(group.kind) && e % 3 === 1) {
    const path = `${base}/${group.kind}/${group.id}/subaccounts`
    return { kind, path, rowsKey: 'subaccounts', clientId, owner: group, word: '', query: `per=${[2, 7, 50][e % 3] ?? 7}` }
  }
  // All of them were due long ago, and nobody has paid one.
  if (kind === 'bills' && d % 2 === 1) return { kind, path: `${base}/alerts/past_due_bills`, clientId, word, query }
  if (kind !== 'services') return { kind, path: `${base}/${kind}`, clientId, word, query }
  const owners = world.items.filter(
    (item) => item.clientId === clientId && (item.kind === 'billable_accounts' || item.kind === 'supply_accounts'),
  )
  const owner = owners[d % owners.length]
  return { kind, path: `${base}/${owner?.kind ?? ''}/${owner?.id ?? 0}/services`, clientId, word, query, ...(owner ? { owner } : {}) }
}

const groupsOf: Readonly<Partial<Record<Kind, Kind>>> = { billable_accounts: 'group_accounts', supply_accounts: 'group_supply_accounts' }

/** Documents of a level, or of one record of it. */
function documentsDraw(
  world: World,
  draw: Pick<Draw, 'kind' | 'clientId' | 'word'>,
  query: string,
  [c, d, e]: readonly [number, number, number],
): Draw {
  const base = `/clients/${draw.clientId}`
  const { value: type, plural } = attachables[d % attachables.length] ?? attachables[0]
  const records = world.items.filter((item) => item.clientId === draw.clientId && item.kind === plural)
  const owner = e % 2 === 0 && type !== 'Client' ? records[c % records.length] : undefined
  if (owner) return { ...draw, type, owner, path: `${base}/${plural}/${owner.id}/documents`, query }
  return { ...draw, type, path: `${base}/documents`, query: `${query}&type=${type}` }
}

/** Pickers of a client, by their kind, and searches over all clients; an account's number is the second word of its name. */
const pickers: readonly { readonly kind: Kind; readonly path: string; readonly wordAt?: number; readonly term?: 'q' | 'search_term' }[] = [
  { kind: 'divisions', path: 'divisions/select_options' },
  { kind: 'facilities', path: 'facilities/select_options' },
  { kind: 'billable_accounts', path: 'billable_accounts/select_options' },
  { kind: 'supply_accounts', path: 'supply_accounts/select_options' },
  { kind: 'ledger_accounts', path: 'ledger_accounts/select_options' },
  { kind: 'billable_accounts', path: 'billable_accounts/account_number_search', wordAt: 1 },
  { kind: 'supply_accounts', path: 'supply_accounts/account_number_search', wordAt: 1 },
  { kind: 'divisions', path: '/divisions/search' },
  { kind: 'facilities', path: '/facilities/search' },
  { kind: 'billable_accounts', path: '/billable_accounts/search', term: 'q' },
  { kind: 'clients', path: '/clients/search' },
  { kind: 'clients', path: '/clients/select_options' },
]

export function pickerDraw(world: World, [a = 0, b = 0, c = 0]: readonly number[]): Draw {
  const { kind, path, wordAt, term } = pickers[a % pickers.length] ?? { kind: 'clients', path: '/clients/search' }
  const word = words[c % words.length] ?? ''
  const query = `${term ?? 'search_term'}=${word}&per=${[3, 50][b % 2] ?? 50}`
  const at = wordAt === undefined ? {} : { wordAt }
  if (path.startsWith('/')) return { kind, path, word, query, ...at }
  const clientId = world.clients[b % world.clients.length]?.id ?? 0
  return { kind, path: `/clients/${clientId}/${path}`, clientId, word, query, ...at }
}

const recordKinds: readonly Kind[] = [
  'divisions',
  'facilities',
  'billable_accounts',
  'supply_accounts',
  'group_accounts',
  'group_supply_accounts',
  'bills',
  'documents',
]

/** Mostly records of the clients that these people reach, since the others are refused as a whole. */
function near(world: World, rows: readonly RoleRow[], kind: Kind | undefined, pick: number): Item | undefined {
  const all = world.items.filter((item) => item.kind === kind)
  const own = all.filter((item) => rows.some((row) => clientsOf(world, row).includes(item.clientId)))
  const records = pick % 4 === 0 || own.length === 0 ? all : own
  return records[pick % records.length]
}

/** One record by its id. */
export function recordDraw(
  world: World,
  askable: readonly Kind[],
  rows: readonly RoleRow[],
  [a = 0, b = 0]: readonly number[],
): { readonly path: string; readonly item: Item } | undefined {
  const own = recordKinds.filter((kind) => askable.includes(kind))
  const item = near(world, rows, own[a % own.length], b)
  const path = item?.kind === 'documents' ? `/documents/${item.id}` : `/clients/${item?.clientId}/${item?.kind}/${item?.id}`
  return item && { item, path }
}

/** 404 for what is out of reach, whether it is there or not; 403 for who reaches nothing and asks beside any client. */
export function recordStatus(world: World, rows: readonly RoleRow[], item: Item): number {
  if (item.kind === 'documents' && rows.every((row) => clientsOf(world, row).length === 0)) return 403
  return seenBy(world, rows, item) ? 200 : 404
}

const dashboardKinds = [
  'clients',
  'divisions',
  'facilities',
  'billable_accounts',
  'supply_accounts',
  'group_accounts',
  'group_supply_accounts',
] as const
const scopeNames: Readonly<Record<(typeof dashboardKinds)[number], string>> = {
  clients: 'client',
  divisions: 'division',
  facilities: 'facility',
  billable_accounts: 'billable_account',
  supply_accounts: 'supply_account',
  group_accounts: 'group_account',
  group_supply_accounts: 'group_supply_account',
}

/** A dashboard of a record, and what the accounts under it that these people see have cost, in cents. */
export function dashboardDraw(
  world: World,
  rows: readonly RoleRow[],
  [a = 0, b = 0]: readonly number[],
): { readonly item: Item; readonly query: string } | undefined {
  const kind = dashboardKinds[a % dashboardKinds.length] ?? 'clients'
  const item = near(world, rows, kind, b)
  return item && { item, query: `scope_type=${scopeNames[kind]}&scope_id=${item.id}` }
}

export function dashboardCents(world: World, rows: readonly RoleRow[], of: Item): number {
  const below = world.items.filter((item) => item.cents !== undefined && item.clientId === of.clientId && isBelow(item, of))
  return below.filter((item) => seenBy(world, rows, item)).reduce((sum, { cents = 0 }) => sum + cents, 0)
}

function isBelow(account: Item, of: Item): boolean {
  if (of.kind === 'clients') return true
  if (of.kind === 'group_accounts') return account.kind === 'billable_accounts' && (account.groupId === of.id || account.id === of.id)
  if (of.kind === 'group_supply_accounts') return account.kind === 'supply_accounts' && (account.groupId === of.id || account.id === of.id)
  return levels.some((level) => of.kind === pluralOf[level] && account.above[level] === of.id)
}
