/** Learned layouts in the database: loaded for a reading, and updated by what people confirm. */
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { likeness } from './fixed-words.ts'
import { nearestName } from './nearest-name.ts'
import type { LayoutRule, StoredLayout } from './layout-rules.ts'
import type { Vote } from './vote.ts'

/** Maximum number of layouts per vendor. Below it, a bill unlike all of them creates another. */
const LAYOUTS_MAX = 20
/** Bills of one layout share at least this fraction of their fixed words. */
const LIKE_MIN = 0.4
/** A scan misreads some of them: from this likeness on, a layout serves for a reading, but such a bill does not narrow it. */
const LIKE_MIN_TO_READ = 0.2
/** Likeness and number of phrases that a layout needs to name a vendor that nothing else names. */
const SURE_MIN = 0.75
const SURE_PHRASES_MIN = 8
/** Layouts of all vendors that are searched if the vendor is unknown. */
const SEARCHED_MAX = 2_000

/** Returns the vendor's layout of the document; null if it resembles none. */
export async function layoutOf(tx: Tx, vendorId: number, signature: readonly string[], lock = false): Promise<StoredLayout | null> {
  const { rows } = await sql<
    Omit<StoredLayout, 'rules'>
  >`select id, vendor_id, signature, bills from bill_layouts where vendor_id = ${vendorId}
    order by id limit ${LAYOUTS_MAX} ${lock ? sql`for update` : sql``}`.execute(tx)
  const [best] = rows.map((row) => ({ row, like: likeness(row.signature, signature) })).toSorted((a, b) => b.like - a.like)
  const likeMin = lock ? LIKE_MIN : LIKE_MIN_TO_READ
  if (best === undefined || (best.like < likeMin && rows.length < LAYOUTS_MAX)) return null
  return { ...best.row, rules: await rulesOf(tx, best.row.id) }
}

/** Shorter names occur nearly everywhere, with a letter or two misread. */
const NAME_LETTERS_MIN = 8
/** Layouts of other vendors that are less alike by this much are not considered. */
const RIVAL_WITHIN = 0.1

/**
 * Returns the vendor whose layout clearly matches the document. If vendors print alike, as those with the same billing software do, the
 * name that is printed most closely decides; so it does if the scan is too poor for the layout alone.
 * @param text letters and digits of the document
 */
export async function vendorByLayout(tx: Tx, signature: readonly string[], text: string): Promise<{ id: number; name: string } | null> {
  if (signature.length < SURE_PHRASES_MIN) return null
  const { rows } = await sql<{
    vendor_id: number
    name: string
    signature: string[]
  }>`select layout.vendor_id, vendor.name, layout.signature
    from bill_layouts layout join vendors vendor on vendor.id = layout.vendor_id where vendor.active and layout.signature && ${[...signature]}::text[]
    order by layout.updated_at desc, layout.id limit ${SEARCHED_MAX}`.execute(tx)
  const ranked = rows
    .filter((row) => row.signature.length >= SURE_PHRASES_MIN)
    .map((row) => ({ row, like: likeness(row.signature, signature) }))
    .toSorted((a, b) => b.like - a.like)
  const [best] = ranked
  if (best === undefined || best.like < LIKE_MIN) return null
  // A scan with many misread words is less alike: then the name must nearly be printed.
  const isSure = best.like >= SURE_MIN
  const alike = ranked.filter((one) => one.like > (isSure ? best.like - RIVAL_WITHIN : LIKE_MIN))
  const named = alike.filter(({ row }) => isSure || row.name.length >= NAME_LETTERS_MIN)
  const vendors = new Map(named.map(({ row }) => [row.vendor_id, { id: row.vendor_id, name: row.name }]))
  return isSure && vendors.size === 1 ? { id: best.row.vendor_id, name: best.row.name } : nearestName([...vendors.values()], text)
}

async function rulesOf(tx: Tx, layoutId: number): Promise<LayoutRule[]> {
  const { rows } = await sql<LayoutRule>`select field, relation, phrase, page, x::float8 as x, y::float8 as y, confirmed, corrected
    from bill_layout_rules where layout_id = ${layoutId} order by confirmed desc, field, phrase limit 1000`.execute(tx)
  return rows
}

/** Stores what a bill taught; its fixed words narrow the layout to what all its bills show. */
export async function keepLesson(
  tx: Tx,
  lesson: { vendorId: number; layout: StoredLayout | null; signature: readonly string[]; votes: readonly Vote[]; userId: number | null },
): Promise<void> {
  const { layout, signature } = lesson
  const kept = layout === null ? [...signature] : layout.signature.filter((phrase) => signature.includes(phrase))
  const { rows } =
    layout === null
      ? await sql<{
          id: number
        }>`insert into bill_layouts (vendor_id, signature, bills) values (${lesson.vendorId}, ${kept}::text[], 1) returning id`.execute(tx)
      : await sql<{
          id: number
        }>`update bill_layouts set signature = ${kept.length >= SURE_PHRASES_MIN ? kept : [...layout.signature]}::text[], bills = bills + 1,
          updated_at = now() where id = ${layout.id} returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined || lesson.votes.length === 0) return
  await sql`insert into bill_layout_rules (layout_id, field, relation, phrase, page, x, y, confirmed, corrected, taught_by)
    select ${id}, vote.field, vote.relation, vote.phrase, vote.page, vote.x, vote.y, case when vote."isRight" then 1 else 0 end,
      case when vote."isRight" then 0 else 1 end, ${lesson.userId}
    from jsonb_to_recordset(${JSON.stringify(lesson.votes)}::jsonb) as vote(field text, relation text, phrase text, page int, x numeric, y numeric, "isRight" boolean)
    on conflict (layout_id, field, relation, phrase, page, x, y) do update set confirmed = bill_layout_rules.confirmed + excluded.confirmed,
      corrected = bill_layout_rules.corrected + excluded.corrected, taught_by = excluded.taught_by, taught_at = now()`.execute(tx)
}
