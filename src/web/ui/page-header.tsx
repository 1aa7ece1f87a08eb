import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { UiLink } from './link.tsx'
import styles from './kit.module.css'

export type PageHeaderProps = {
  title: string
  /** The count as text, e.g. '1,234 bills'. */
  count?: string | undefined
  /** A sum with its currency sign. */
  sum?: string | undefined
  /** Further content beside the title: a status, a switch. */
  children?: ReactNode
  /** The one primary action, with quiet ones before it. */
  actions?: ReactNode
}

/** The line at the top of a page, 48 px high: title, figures, the one primary action. */
export function PageHeader({ title, count, sum, children, actions }: PageHeaderProps) {
  return (
    <header className={styles.pageHeader}>
      {title !== '' && (
        <h1 className={styles.pageTitle} title={title}>
          {title}
        </h1>
      )}
      <div className={cx(styles.pageFacts, 'num')}>
        {count && <span>{count}</span>}
        {sum && <span className={styles.pageSum}>{sum}</span>}
      </div>
      {children}
      {actions && <div className={styles.pageActions}>{actions}</div>}
    </header>
  )
}

export type Crumb = { label: string; href?: string | undefined }

/** The path to this page; the last item is the page itself. */
export function Breadcrumbs({ items }: { items: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className={styles.crumbs}>
        {items.map((item, index) => (
          <li key={item.href ?? item.label}>
            <CrumbText item={item} here={index === items.length - 1} />
          </li>
        ))}
      </ol>
    </nav>
  )
}

function CrumbText({ item, here }: { item: Crumb; here: boolean }) {
  if (here || item.href === undefined) return <span aria-current={here ? 'page' : undefined}>{item.label}</span>
  return <UiLink href={item.href}>{item.label}</UiLink>
}

export type TabLink = { href: string; label: string; count?: string | undefined; current: boolean }

/** Tabs that are links with their own addresses. `end` is placed at the other end of their line. */
export function Tabs({ label, items, end }: { label: string; items: readonly TabLink[]; end?: ReactNode }) {
  const tabs = (
    <nav aria-label={label} className={styles.tabs}>
      {items.map((item) => (
        <UiLink key={item.href} href={item.href} className={styles.tab} aria-current={item.current ? 'page' : undefined}>
          {item.label}
          {item.count !== undefined && <span className={cx(styles.tabCount, 'num')}>{item.count}</span>}
        </UiLink>
      ))}
    </nav>
  )
  if (!end) return tabs
  return (
    <div className={styles.tabsLine}>
      {tabs}
      {end}
    </div>
  )
}

export type Chip = { key: string; name?: string | undefined; text: string; onRemove?: (() => void) | undefined }

/** Chips below the header, such as the active filters; each can be removed. */
export function Chips({ label, items, children }: { label: string; items: readonly Chip[]; children?: ReactNode }) {
  if (items.length === 0 && !children) return null
  return (
    <div className={styles.chips} role="group" aria-label={label}>
      {items.map((item) => (
        <span key={item.key} className={cx(styles.chip, !item.onRemove && styles.chipEnd)}>
          <span className={styles.chipText}>
            {item.name && <span className={styles.chipName}>{item.name}: </span>}
            {item.text}
          </span>
          {item.onRemove && (
            <button
              type="button"
              className={styles.chipRemove}
              aria-label={`Remove ${item.name ? `${item.name}: ` : ''}${item.text}`}
              onClick={item.onRemove}
            >
              <span aria-hidden="true">×</span>
            </button>
          )}
        </span>
      ))}
      {children}
    </div>
  )
}
