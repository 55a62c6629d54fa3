import type { ImportResult } from '@roadshow/contract/console/imports'
import type { ImportDescription } from '@roadshow/contract/platform/imports'
import { Alert, Button, Select } from 'antd'
import { useState } from 'react'
import { List, Row, Soft, Stack } from '../../ui/layout.tsx'
import styles from './imports.module.css'

const NONE = ''

interface HeadingChoicesProps {
  description: ImportDescription
  result: ImportResult
  isChecking: boolean
  onChoose: (columns: (string | null)[]) => void
}

/** What each heading of the file holds, as it was recognized, to be changed by hand. */
export function HeadingChoices({ description, result, isChecking, onChoose }: HeadingChoicesProps) {
  const { headings, problem, headerRow } = result
  const [columns, setColumns] = useState(() => headings.map(({ column }) => column))
  const [isOpen, setOpen] = useState(problem !== null)
  const unknown = headings.filter(({ title, column, isLeftOut }) => title !== '' && column === null && !isLeftOut)
  const leftOut = headings.filter(({ isLeftOut }) => isLeftOut)
  const isChanged = headings.some(({ column }, index) => column !== columns[index])
  return (
    <Stack as="section" gap={2} aria-label="Columns">
      {problem !== null && <Alert type="warning" role="alert" title={problem} />}
      {unknown.length > 0 && problem === null && (
        <Soft as="p">Columns that are not imported: {unknown.map(({ title }) => title).join(', ')}.</Soft>
      )}
      {leftOut.length > 0 && (
        <Soft as="p">Other records decide {leftOut.map(({ title }) => title).join(', ')}: left as they are.</Soft>
      )}
      <Row gap={2} align="center" wrap>
        <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide columns' : 'Choose columns'}
        </Button>
        <Soft small>The headings are in row {headerRow}.</Soft>
        {isChanged && (
          <Button size="small" type="primary" loading={isChecking} onClick={() => onChoose(columns)}>
            Use these columns
          </Button>
        )}
      </Row>
      {isOpen && (
        <List gap={1} className={styles.headings}>
          {headings.map(({ title, example }, index) => (
            // A heading has no other identity than its place.
            // oxlint-disable-next-line react/no-array-index-key
            <Row as="li" key={index} gap={2} align="center" wrap>
              <span className={styles.heading}>{title || `Column ${index + 1}`}</span>
              <Select
                size="small"
                aria-label={`What ${title || `column ${index + 1}`} holds`}
                className={styles.choice ?? ''}
                value={columns[index] ?? NONE}
                onChange={(column: string) => setColumns(columns.with(index, column === NONE ? null : column))}
                options={[
                  { value: NONE, label: 'Not imported' },
                  ...Object.entries(description.columns).map(([value, [label]]) => ({ value, label })),
                ]}
              />
              <Soft small>{example}</Soft>
            </Row>
          ))}
        </List>
      )}
    </Stack>
  )
}
