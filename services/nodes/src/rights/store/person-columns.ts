export const PERSON = `jsonb_build_object('userId', u.user_id, 'email', u.address, 'firstName', u.first_name, 'lastName', u.last_name,
  'lastLoginMs', floor(extract(epoch FROM u.last_login_at) * 1000)::bigint)`;
