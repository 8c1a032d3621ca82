-- The e-mail of a user is `address` (migration 0017). Pods that named people by the unique column are gone, and nothing reads it.
DROP TRIGGER fill_user_address ON users;
DROP FUNCTION fill_user_address();
ALTER TABLE users DROP COLUMN email;
