import type { KeyboardEvent, ReactNode } from 'react'
import type { ButtonKind } from './button.tsx'
import { KeyHint } from './key-hint.tsx'
import { UiLink } from './link.tsx'
import styles from './overlay.module.css'
import { Popover } from './popover.tsx'
import { cx } from './class-names.ts'
import type { PlaceAlign } from './place.ts'

export type MenuProps = {
  trigger: ReactNode
  label: string
  /** `MenuItem`, `MenuSeparator` and `MenuHeading` elements. */
  children: ReactNode
  align?: PlaceAlign | undefined
  kind?: ButtonKind | undefined
  small?: boolean | undefined
}

/** A button that opens a menu; arrows, Home, End and first letters move within it. */
export function Menu({ trigger, label, children, align, kind, small }: MenuProps) {
  return (
    <Popover trigger={trigger} label={label} align={align} kind={kind} small={small} role="menu">
      <MenuKeys>{children}</MenuKeys>
    </Popover>
  )
}

export type MenuItemProps = {
  children: ReactNode
  icon?: ReactNode
  /** Path that the item links to, or … */
  href?: string | undefined
  /** … its action. */
  onSelect?: (() => void) | undefined
  danger?: boolean | undefined
  /** Why the item cannot be chosen now; shown below its text. */
  disabledReason?: string | undefined
  /** The shortcut with the same effect, as in `shortcuts.ts`. */
  keys?: string | undefined
  /** Given for a toggle: whether it is on. */
  checked?: boolean | undefined
}

/** One line of a menu. Choosing it closes the menu first, so that the focus has returned before a dialog opens. */
export function MenuItem({ children, icon, href, onSelect, danger, disabledReason, keys, checked }: MenuItemProps) {
  const inner = (
    <>
      {icon}
      {checked !== undefined && <span aria-hidden="true">{checked ? '✓' : '\u2003'}</span>}
      <span className={styles.itemText}>
        {children}
        {disabledReason && <span className={styles.itemReason}>{disabledReason}</span>}
      </span>
      {keys && <KeyHint keys={keys} />}
    </>
  )
  const className = cx(styles.item, danger && styles.itemDanger)
  if (href !== undefined && !disabledReason) {
    return (
      <UiLink href={href} role="menuitem" tabIndex={-1} className={className} onClick={(event) => closeMenuAround(event.currentTarget)}>
        {inner}
      </UiLink>
    )
  }
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked={checked}
      tabIndex={-1}
      className={className}
      aria-disabled={disabledReason ? true : undefined}
      onClick={(event) => {
        if (disabledReason) return
        closeMenuAround(event.currentTarget)
        onSelect?.()
      }}
    >
      {inner}
    </button>
  )
}

export function MenuSeparator() {
  return <hr className={styles.separator} />
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return (
    <div role="presentation" className={styles.menuHeading}>
      {children}
    </div>
  )
}

/** The contents of a menu's panel; moves the focus among the items. */
export function MenuKeys({ children }: { children: ReactNode }) {
  return (
    <div role="presentation" onKeyDown={moveInMenu}>
      {children}
    </div>
  )
}

function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
  const here = items.findIndex((item) => item === document.activeElement)
  const next = targetIndex(event.key, here, items)
  if (event.key === 'Tab') closeMenuAround(event.currentTarget)
  if (next === undefined) return
  event.preventDefault()
  event.stopPropagation()
  items[next]?.focus()
}

function targetIndex(key: string, here: number, items: readonly HTMLElement[]): number | undefined {
  if (items.length === 0) return undefined
  if (key === 'ArrowDown') return (here + 1) % items.length
  if (key === 'ArrowUp') return (here - 1 + items.length) % items.length
  if (key === 'Home') return 0
  if (key === 'End') return items.length - 1
  if (!/^\S$/.test(key)) return undefined
  const after = [...items.keys()].map((step) => (here + 1 + step) % items.length)
  return after.find((index) => items[index]?.textContent.trim().toLowerCase().startsWith(key.toLowerCase()))
}

function closeMenuAround(element: HTMLElement): void {
  const panel = element.closest('[popover]')
  if (panel instanceof HTMLElement && panel.matches(':popover-open')) panel.hidePopover()
}
