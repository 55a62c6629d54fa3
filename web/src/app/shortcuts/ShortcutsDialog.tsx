import { Modal } from 'antd'
import { useState } from 'react'
import { List, Row } from '../../ui/layout.tsx'
import styles from './shortcuts.module.css'

const keyOf = (control: HTMLElement) => control.getAttribute('aria-keyshortcuts') ?? ''
const nameOf = (control: HTMLElement) => control.getAttribute('aria-label') ?? control.textContent.trim()

/** What the keys of this screen do, as its controls say it. */
function keysOfScreen(): [string, string][] {
  const controls = [...document.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')]
  const shown = controls.filter((control) => control.checkVisibility() && keyOf(control).length === 1)
  const keys = shown.map((control): [string, string] => [keyOf(control), nameOf(control)])
  const more = [...document.querySelectorAll<HTMLElement>('[data-keys]')].flatMap(
    ({ dataset }) => JSON.parse(dataset['keys'] ?? '[]') as [string, string][],
  )
  return [...new Map([...keys, ...more])]
}

const EVERYWHERE: [string, string][] = [
  ['Ctrl K', 'Jump to a screen, record or day'],
  ['Esc', 'Close what is open'],
  ['?', 'This list'],
]

interface ShortcutsDialogProps {
  open: boolean
  onClose: () => void
}

/** The keys that work on the present screen. */
export default function ShortcutsDialog({ open, onClose }: ShortcutsDialogProps) {
  return (
    <Modal open={open} onCancel={onClose} title="Keyboard shortcuts" footer={null} width={416} destroyOnHidden>
      <KeyList />
    </Modal>
  )
}

function KeyList() {
  const [keys] = useState(keysOfScreen)
  return (
    <List gap={2}>
      {[...keys, ...EVERYWHERE].map(([key, name]) => (
        <Row key={key} as="li" gap={3} align="baseline">
          <kbd className={styles.key}>{key}</kbd>
          {name}
        </Row>
      ))}
    </List>
  )
}
