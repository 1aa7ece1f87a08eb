/**
 * Filters a complete list by the typed text: every word must match, in any order and case; numbers match without the separators that bills
 * print.
 */
import type { OptionId, PickerOption } from './option-types.ts'

type Folded = { readonly label: string; readonly plain: string; readonly tight: string }

/** Cache of folded options: folding 20,000 takes tens of milliseconds, and they do not change from key to key. */
const folded = new WeakMap<object, Folded>()

/** Returns the matching options, closest first: a whole name or code, then names that begin with the text, then names with a word that does. */
export function matchOptions<Id extends OptionId>(options: readonly PickerOption<Id>[], term: string): readonly PickerOption<Id>[] {
  const typed = fold(term.trim())
  const words = typed.split(/\s+/).filter(Boolean)
  if (words.length === 0) return options
  const tight = tighten(typed)
  const isNumber = /^[\d\s\p{P}]+$/u.test(typed) && tight !== ''
  const ranked = options.flatMap((option) => {
    const text = foldedOf(option)
    const fits = (isNumber && text.tight.includes(tight)) || words.every((word) => holds(text, word))
    return fits ? [{ option, rank: rankOf(text, typed, words) }] : []
  })
  const closest = ranked.toSorted((one, other) => one.rank - other.rank).map(({ option }) => option)
  // Keeps a group together, at the position of its closest option.
  return [...Map.groupBy(closest, ({ group }) => group).values()].flat()
}

function holds({ plain, tight }: Folded, word: string): boolean {
  return plain.includes(word) || (/\d/.test(word) && tight.includes(tighten(word)))
}

function rankOf({ label, plain }: Folded, typed: string, [first = '']: readonly string[]): number {
  if (plain.split('\n').includes(typed)) return 0
  if (label.startsWith(typed)) return 1
  return ` ${plain.replaceAll('\n', ' ')}`.includes(` ${first}`) ? 2 : 3
}

function foldedOf(option: PickerOption<OptionId>): Folded {
  const known = folded.get(option)
  if (known) return known
  const parts = [option.label, option.hint, option.words].flatMap((part) => (part ? [fold(part)] : []))
  // The parts are joined by a line break; otherwise the end of a name and the start of a code could form a number.
  const made = { label: parts[0] ?? '', plain: parts.join('\n'), tight: parts.map(tighten).join('\n') }
  folded.set(option, made)
  return made
}

/** Returns lower-case text without accents. */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** Returns only letters and digits: '435-641-859' and '435 641 859' become '435641859'. */
function tighten(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '')
}
