import { useMemo } from 'react'
import { ComboboxPanel } from '../combobox/combobox-panel.tsx'
import type { OptionPage, OptionQuery, PickerOption } from '../combobox/option-types.ts'
import type { ListAct } from '../combobox/list-items.ts'
import { Modal } from './modal.tsx'

export type PaletteItem = PickerOption<string> & { run: () => void }
export type PaletteGroup = { label: string; items: readonly PaletteItem[] }

export type PaletteProps = {
  open: boolean
  onClose: () => void
  /** Pages, actions and recent records, searched in the browser. */
  groups: readonly PaletteGroup[]
  /** Searches records on the server, from two characters on. */
  search: (term: string, signal: AbortSignal) => Promise<readonly PaletteGroup[]>
  /** Actions on the typed text itself; listed last, so that results come first. */
  withTerm: (term: string) => readonly ListAct[]
}

const SEARCH_FROM = 2
const SEARCH_PAUSE_MS = 200
const FIELD_LABEL = 'Search pages, records and actions'

/** The Ctrl-K dialog: type, choose with the arrows, open with Enter. Its position does not change while the list below grows and shrinks. */
export function Palette(props: PaletteProps) {
  return (
    <Modal open={props.open} onClose={props.onClose} title="Search and go" width={600} bare pinned>
      <PaletteBody {...props} />
    </Modal>
  )
}

function PaletteBody({ onClose, groups, search, withTerm }: PaletteProps) {
  const runs = useMemo(() => new Map<string, () => void>(), [])
  const source = useMemo(
    () => ({
      list: optionsIn(groups, runs),
      search: async ({ term }: OptionQuery, signal: AbortSignal): Promise<OptionPage<string>> => {
        const options = optionsIn(await search(term, signal), runs)
        return { options, total: options.length }
      },
    }),
    [groups, search, runs],
  )
  const leave = (run: (() => void) | undefined) => {
    onClose()
    run?.()
  }
  return (
    <ComboboxPanel<string>
      big
      fieldLabel={FIELD_LABEL}
      listLabel="Results"
      source={source}
      minChars={SEARCH_FROM}
      debounceMs={SEARCH_PAUSE_MS}
      chosen={none}
      acts={(term) => withTerm(term).map((act) => ({ ...act, run: () => leave(act.run) }))}
      onPick={({ id }) => leave(runs.get(id))}
    />
  )
}

const none: readonly never[] = []

/** Returns the items as options grouped by heading, and stores their actions by id. */
function optionsIn(groups: readonly PaletteGroup[], runs: Map<string, () => void>): readonly PickerOption<string>[] {
  return groups.flatMap(({ label, items }) =>
    items.map(({ run, ...option }) => {
      runs.set(option.id, run)
      return { ...option, group: label }
    }),
  )
}
