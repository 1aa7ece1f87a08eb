import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { MenuKeys } from '../menu.tsx'
import overlay from '../overlay.module.css'
import { cx } from '../class-names.ts'
import { keepPlaced } from '../place.ts'
import { focusFirst } from '../popover.tsx'

export type RowMenuProps = {
  /** The button that opened it. */
  anchor: HTMLElement
  label: string
  children: ReactNode
  onClose: () => void
}

/** The one menu of a grid, placed at the row whose button was pressed. */
export function RowMenu({ anchor, label, children, onClose }: RowMenuProps) {
  const panel = useRef<HTMLDivElement>(null)
  useShown(panel, anchor)
  return (
    <div
      ref={panel}
      popover="auto"
      role="menu"
      aria-label={label}
      className={cx(overlay.panel, overlay.menu)}
      onToggle={(event) => {
        if (event.newState === 'closed') onClose()
      }}
    >
      <MenuKeys>{children}</MenuKeys>
    </div>
  )
}

function useShown(panel: RefObject<HTMLDivElement | null>, anchor: HTMLElement): void {
  useEffect(() => {
    const element = panel.current
    if (!element) return undefined
    anchor.focus({ preventScroll: true })
    element.showPopover()
    const stop = keepPlaced(element, anchor, 'end')
    focusFirst(element)
    return stop
  }, [panel, anchor])
}
