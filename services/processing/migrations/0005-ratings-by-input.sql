-- Lists what is computed from a series, for people who want to change it.
CREATE INDEX rating_inputs_by_input ON rating_inputs (input_node_id);
