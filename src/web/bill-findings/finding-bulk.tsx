/** Resolves the selected findings with one reason, from the bar below the list. */
import { useState } from 'react'
import { findingReasons, type FindingReason } from '#contract/bill-audits/finding-reasons.ts'
import type { Chosen } from '../kernel/lists/list-selection.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { settleTogether } from './settle-together.ts'

export function FindingBulk({ clientId, chosen }: { clientId: number; chosen: Chosen }) {
  const [busy, setBusy] = useState(false)
  const settle = async (reason: FindingReason) => {
    if (busy) return
    setBusy(true)
    if (await settleTogether(clientId, chosen.which, { reason })) chosen.clear()
    setBusy(false)
  }
  const count = chosen.count === undefined ? 'all matching' : chosen.count.toLocaleString('en-US')
  return (
    <Menu trigger={`Resolve ${count}…`} label={`Resolve ${count}: the reason`} kind="primary" small align="end">
      {findingReasons.map(({ value, label }) => (
        <MenuItem key={value} onSelect={() => void settle(value)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
