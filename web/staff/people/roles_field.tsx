import { Checkbox, SimpleGrid } from '@mantine/core';

interface RolesFieldProps {
  readonly label: string;
  /** Every role, with what it is for in a line. */
  readonly roles: Readonly<Record<string, string>>;
  readonly value: string[];
  readonly onChange: (roles: string[]) => void;
}

/** Roles to choose from, each with what it may do; a choice moves nothing. */
export const RolesField = ({ label, roles, value, onChange }: RolesFieldProps) => (
  <Checkbox.Group label={label} value={value} onChange={onChange}>
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
      {Object.entries(roles).map(([role, may]) => (
        <Checkbox
          key={role}
          value={role}
          label={role.charAt(0).toUpperCase() + role.slice(1)}
          description={may}
        />
      ))}
    </SimpleGrid>
  </Checkbox.Group>
);
