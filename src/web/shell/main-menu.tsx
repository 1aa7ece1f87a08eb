import { ChevronDown } from 'lucide-react'
import { usePath } from '../kernel/navigation.tsx'
import { useAccess, usePermissions } from '../kernel/permissions.tsx'
import { useScopeClient } from '../kernel/scope.ts'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { MenuItem, MenuKeys } from '../ui/menu.tsx'
import { Popover } from '../ui/popover.tsx'
import { adminMenu, clientMenu, isHere, type MenuEntry } from './menus.ts'
import styles from './shell.module.css'

/** The menu below the header: the scoped client's, or the admin menu for users who are not limited to clients. */
export function MainMenu() {
  const entries = useMenu()
  const path = usePath()
  return (
    <nav aria-label="Main" className={styles.menu}>
      <ul className={styles.menuList}>
        {entries.map((entry) => (
          <li key={entry.label}>{entry.items ? <SubMenu entry={entry} path={path} /> : <MenuLink entry={entry} path={path} />}</li>
        ))}
      </ul>
    </nav>
  )
}

/** Returns the menu entries that the user sees now. */
export function useMenu(): readonly MenuEntry[] {
  const { id, client } = useScopeClient()
  const { access } = useAccess()
  const map = usePermissions()
  if (!access) return []
  if (id !== null) return clientMenu(id, client, map)
  return access.client_only_user ? [] : adminMenu(map)
}

function MenuLink({ entry, path }: { entry: MenuEntry; path: string }) {
  return (
    <UiLink href={entry.href} className={styles.menuLink} aria-current={isHere(entry, path) ? 'page' : undefined}>
      {entry.label}
    </UiLink>
  )
}

function SubMenu({ entry, path }: { entry: MenuEntry; path: string }) {
  return (
    <Popover
      role="menu"
      label={entry.label}
      className={cx(styles.menuLink, isHere(entry, path) && styles.menuHere)}
      trigger={
        <>
          {entry.label}
          <ChevronDown size={13} aria-hidden="true" />
        </>
      }
    >
      <MenuKeys>
        {entry.items?.map((item) => (
          <MenuItem key={item.href} href={item.href}>
            {item.label}
          </MenuItem>
        ))}
      </MenuKeys>
    </Popover>
  )
}
